// Strapi's REST API on PostgreSQL, without its panel.
const { mkdirSync } = require('node:fs')
const { createStrapi } = require('@strapi/strapi')

mkdirSync('public/uploads', { recursive: true })
createStrapi({ appDir: __dirname, distDir: __dirname, serveAdminPanel: false }).start()
