// Fills an empty database: who may do what, accounts and rows.
const { randomBytes } = require('node:crypto')
const { readFileSync } = require('node:fs')

const person = 'api::person.person'

async function allow(strapi, type, actions) {
  const role = await strapi.db.query('plugin::users-permissions.role').findOne({ where: { type } })
  for (const action of actions) {
    const data = { action: `${person}.${action}`, role: role.id }
    await strapi.db.query('plugin::users-permissions.permission').create({ data })
  }
  return role
}

async function fill(strapi) {
  await allow(strapi, 'public', ['find', 'findOne'])
  const actions = ['find', 'findOne', 'create', 'update', 'delete']
  const role = await allow(strapi, 'authenticated', actions)
  for (const { email, password } of JSON.parse(readFileSync('accounts.json'))) {
    const account = { username: email, email, password, provider: 'local', confirmed: true }
    await strapi.plugin('users-permissions').service('user').add({ ...account, role: role.id })
  }
  const now = new Date()
  const rows = JSON.parse(readFileSync('people.json')).map((row) => {
    const documentId = randomBytes(12).toString('hex')
    return { ...row, documentId, createdAt: now, updatedAt: now, publishedAt: now }
  })
  await strapi.db.query(person).createMany({ data: rows })
}

module.exports = {
  async bootstrap({ strapi }) {
    if ((await strapi.db.query(person).count()) === 0) await fill(strapi)
  },
}
