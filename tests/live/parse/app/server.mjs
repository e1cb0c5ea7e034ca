// Parse Server's REST API on PostgreSQL. `protectedFields` of the class hide religion, income, note
// and record from all but the owner of a row.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ParseServer } from 'parse-server'

const Parse = createRequire(createRequire(import.meta.url).resolve('parse-server'))('parse/node')
const hidden = ['religion', 'income', 'note', 'record']
const everybody = { '*': true }
const somebody = { requiresAuthentication: true }

const person = {
  className: 'Person',
  fields: {
    handle: { type: 'String', required: true },
    name: { type: 'String' },
    city: { type: 'String' },
    age_band: { type: 'String' },
    religion: { type: 'String' },
    income: { type: 'Number' },
    note: { type: 'String' },
    record: { type: 'Object' },
    owner: { type: 'Pointer', targetClass: '_User' },
  },
  classLevelPermissions: {
    find: everybody,
    get: everybody,
    count: everybody,
    create: somebody,
    update: somebody,
    delete: somebody,
    protectedFields: { '*': hidden, 'userField:owner': [] },
  },
}

// A public row that points to a person.
const post = {
  className: 'Post',
  fields: { title: { type: 'String' }, author: { type: 'Pointer', targetClass: 'Person' } },
  classLevelPermissions: {
    find: everybody,
    get: everybody,
    count: everybody,
    create: somebody,
    update: somebody,
    delete: somebody,
  },
}

function ownedByItsCreator({ object, user }) {
  if (!user || object.existed()) return
  const acl = new Parse.ACL(user)
  acl.setPublicReadAccess(true)
  object.setACL(acl)
  if (object.className === 'Person') object.set('owner', user)
}

await ParseServer.startApp({
  appId: 'live',
  masterKey: 'live-master',
  restAPIKey: 'live-rest',
  databaseURI: process.env.DATABASE,
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  serverURL: `http://127.0.0.1:${process.env.PORT}/parse`,
  mountPath: '/parse',
  allowClientClassCreation: false,
  verifyServerUrl: false,
  silent: true,
  logsFolder: null,
  schema: { definitions: [person, post], strict: false },
  cloud: () => {
    Parse.Cloud.beforeSave('Person', ownedByItsCreator)
    Parse.Cloud.beforeSave('Post', ownedByItsCreator)
  },
})

async function fill() {
  for (const { email, password } of JSON.parse(readFileSync('accounts.json'))) {
    await new Parse.User({ username: email, email, password }).signUp()
  }
  const acl = new Parse.ACL()
  acl.setPublicReadAccess(true)
  const all = JSON.parse(readFileSync('people.json')).map((row) => {
    const { religion, income, note } = row
    const object = new Parse.Object('Person', { ...row, record: { religion, income, note } })
    object.setACL(acl)
    return object
  })
  await Parse.Object.saveAll(all, { useMasterKey: true, batchSize: 500 })
}
if ((await new Parse.Query('Person').count({ useMasterKey: true })) === 0) await fill()
