module.exports = { rest: { defaultLimit: 20, maxLimit: 2500 } }
