module.exports = {
  auth: { secret: 'live-secret' },
  apiToken: { salt: 'live-salt' },
  secrets: { encryptionKey: 'live-encryption-key-of-32-letters' },
  transfer: { token: { salt: 'live-salt' } },
  serveAdminPanel: false,
}
