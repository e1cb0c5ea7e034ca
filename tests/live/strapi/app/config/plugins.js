module.exports = { 'users-permissions': { config: { jwtSecret: 'live-secret' } } }
