// Makes the collections, the permissions and the rows, over HTTP as the administrator.
import { readFileSync } from 'node:fs'

const url = `http://127.0.0.1:${process.env.PORT}`
const publicPolicy = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17'
const shown = ['id', 'handle', 'name', 'city', 'age_band']
let token

async function post(path, body) {
  const headers = { 'Content-Type': 'application/json' }
  if (token) headers.Authorization = `Bearer ${token}`
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.status === 204 ? null : (await answer.json()).data
}

const id = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true } }
const text = (field) => ({ field, type: 'string', schema: {} })
const owner = { field: 'user_created', type: 'uuid', schema: {}, meta: { special: ['user-created'] } }
const handle = { field: 'handle', type: 'string', schema: { is_unique: true, is_nullable: false } }
const fields = {
  people: [
    id,
    handle,
    ...['name', 'city', 'age_band', 'religion'].map(text),
    { field: 'income', type: 'integer', schema: {} },
    text('note'),
    owner,
  ],
  posts: [id, text('title'), { field: 'author', type: 'integer', schema: {} }, owner],
}

async function makeCollections() {
  for (const [collection, list] of Object.entries(fields)) {
    await post('/collections', { collection, schema: {}, meta: {}, fields: list })
  }
  const relation = { collection: 'posts', field: 'author', related_collection: 'people' }
  await post('/relations', relation)
}

// Everybody reads what is shown; who created a row reads, changes and removes all of it. What everybody
// may do is said twice: the public policy holds for those only who did not log in.
async function makePermissions(policy) {
  const allow = (to, collection, action, fields, permissions) =>
    post('/permissions', { policy: to, collection, action, fields, permissions })
  for (const everybody of [publicPolicy, policy]) {
    await allow(everybody, 'people', 'read', shown, {})
    await allow(everybody, 'posts', 'read', ['*'], {})
  }
  const own = { user_created: { _eq: '$CURRENT_USER' } }
  await allow(policy, 'people', 'read', ['*'], own)
  for (const collection of Object.keys(fields)) {
    await allow(policy, collection, 'create', ['*'], {})
    for (const action of ['update', 'delete']) {
      await allow(policy, collection, action, ['*'], own)
    }
  }
}

export async function fill() {
  const [admin, ...users] = JSON.parse(readFileSync('accounts.json'))
  const login = { email: admin.email, password: admin.password }
  token = (await post('/auth/login', login)).access_token
  await makeCollections()
  const policy = await post('/policies', { name: 'owners', admin_access: false, app_access: false })
  const role = await post('/roles', { name: 'owners' })
  await post('/access', { role: role.id, policy: policy.id })
  await makePermissions(policy.id)
  for (const { email, password } of users) await post('/users', { email, password, role: role.id })
  const people = await post('/items/people', JSON.parse(readFileSync('people.json')))
  const some = people.slice(0, 200)
  await post('/items/posts', some.map(({ id, name }) => ({ title: `About ${name}`, author: id })))
}
