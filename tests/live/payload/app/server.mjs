// Payload's REST API under node:http, as a back end without Next.js runs it. Field access hides
// religion, income and note from all but the owner of a row and the administrator.
import { createServer } from 'node:http'
import { readFileSync } from 'node:fs'
import { sqliteAdapter } from '@payloadcms/db-sqlite'
import { buildConfig, getPayload, handleEndpoints } from 'payload'

const isSomebody = ({ req }) => Boolean(req.user)
const isAdmin = ({ req }) => req.user?.role === 'admin'
const isOwner = ({ req, doc }) => Boolean(req.user) && doc?.owner === req.user.id
const ownRows = ({ req }) => {
  if (!req.user) return false
  return isAdmin({ req }) || { owner: { equals: req.user.id } }
}

const hidden = (name, type) => ({
  name,
  type,
  access: { read: (asked) => isAdmin(asked) || isOwner(asked) },
})

const people = {
  slug: 'people',
  access: {
    create: isSomebody,
    delete: ownRows,
    read: () => true,
    update: ownRows,
  },
  fields: [
    { name: 'handle', type: 'text', required: true, unique: true },
    { name: 'name', type: 'text' },
    { name: 'city', type: 'text' },
    { name: 'age_band', type: 'text' },
    hidden('religion', 'text'),
    hidden('income', 'number'),
    hidden('note', 'text'),
    { name: 'owner', type: 'number', access: { read: isAdmin, create: isAdmin, update: isAdmin } },
  ],
  hooks: {
    beforeChange: [
      ({ data, operation, req }) =>
        operation === 'create' && req.user ? { ...data, owner: req.user.id } : data,
    ],
  },
}

// A public row that points to a person: what is hidden there must not be asked for from here.
const posts = {
  slug: 'posts',
  access: { create: isSomebody, delete: isSomebody, read: () => true, update: isSomebody },
  fields: [
    { name: 'title', type: 'text' },
    { name: 'author', type: 'relationship', relationTo: 'people' },
  ],
}

const users = {
  slug: 'users',
  auth: true,
  access: { read: isAdmin },
  fields: [{ name: 'role', type: 'text', saveToJWT: true }],
}

const config = await buildConfig({
  collections: [users, people, posts],
  db: sqliteAdapter({
    client: { url: `file:${process.cwd()}/people.db` },
    push: true,
    wal: { journalSizeLimit: 1 << 20, synchronous: 'OFF' },
  }),
  secret: 'live-secret',
  telemetry: false,
  typescript: { autoGenerate: false },
})
const payload = await getPayload({ config })

async function fill() {
  const accounts = JSON.parse(readFileSync('accounts.json'))
  for (const account of accounts) await payload.create({ collection: 'users', data: account })
  for (const person of JSON.parse(readFileSync('people.json'))) {
    const now = new Date().toISOString()
    const data = { ...person, createdAt: now, updatedAt: now }
    const { id } = await payload.db.create({ collection: 'people', data, req: {} })
    if (id <= 200) {
      const post = { title: `About ${person.name}`, author: id, createdAt: now, updatedAt: now }
      await payload.db.create({ collection: 'posts', data: post, req: {} })
    }
  }
}
if ((await payload.count({ collection: 'people' })).totalDocs === 0) await fill()

function toRequest(incoming) {
  const url = `http://${incoming.headers.host}${incoming.url}`
  const hasBody = !['GET', 'HEAD'].includes(incoming.method)
  return new Request(url, {
    method: incoming.method,
    headers: incoming.headers,
    ...(hasBody && { body: incoming, duplex: 'half' }),
  })
}

createServer(async (incoming, outgoing) => {
  const answer = await handleEndpoints({ config, request: toRequest(incoming) })
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
  outgoing.end(Buffer.from(await answer.arrayBuffer()))
}).listen(Number(process.env.PORT), '127.0.0.1')
