// LoopBack 4 on PostgreSQL.
const { readFileSync } = require('node:fs')

const { inject } = require('@loopback/core')
const { juggler, RepositoryMixin } = require('@loopback/repository')
const { RestApplication } = require('@loopback/rest')

const owners = require('./owners')
const { Controller, People } = require('./people')

const rest = { host: '127.0.0.1', port: Number(process.env.PORT) }
const app = new (RepositoryMixin(RestApplication))({ rest })
const database = new juggler.DataSource({
  name: 'db',
  connector: require('loopback-connector-postgresql'),
  url: process.env.DATABASE,
})
const people = new People(database)

app.dataSource(database)
app.bind('repositories.People').to(people)
inject('repositories.People')(Controller, undefined, 0)
app.controller(Controller)
app.middleware(owners.middleware)
const body = { content: { 'application/json': { schema: { type: 'object' } } } }
const logIn = { requestBody: body, responses: {}, 'x-parameter-index': 0 }
app.route('post', '/login', logIn, owners.logIn)

async function main() {
  await database.autoupdate()
  if ((await people.count()).count === 0) {
    await people.createAll(JSON.parse(readFileSync('people.json')))
  }
  await app.start()
}
main()
