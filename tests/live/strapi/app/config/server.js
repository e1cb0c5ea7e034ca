module.exports = {
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  app: { keys: ['live-key-1', 'live-key-2'] },
  logger: { updates: { enabled: false }, startup: { enabled: false } },
}
