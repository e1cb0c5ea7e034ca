// Feathers with Koa and Knex on PostgreSQL.
import { readFileSync } from 'node:fs'
import { AuthenticationService, JWTStrategy } from '@feathersjs/authentication'
import { hooks, LocalStrategy } from '@feathersjs/authentication-local'
import { feathers } from '@feathersjs/feathers'
import { KnexService } from '@feathersjs/knex'
import { bodyParser, errorHandler, koa, parseAuthentication, rest } from '@feathersjs/koa'
import makeKnex from 'knex'
import { people } from './people.js'

const knex = makeKnex({ client: 'pg', connection: process.env.DATABASE })

async function fill() {
  await knex.schema.createTable('users', (table) => {
    table.increments('id')
    table.string('email').unique()
    table.string('password')
  })
  await knex.schema.createTable('people', (table) => {
    table.increments('id')
    table.string('handle').notNullable().unique()
    for (const name of ['name', 'city', 'age_band', 'religion', 'note']) table.string(name)
    table.integer('income')
    table.integer('owner')
  })
  for (const { email, password } of JSON.parse(readFileSync('accounts.json'))) {
    await app.service('users').create({ email, password })
  }
  await knex.batchInsert('people', JSON.parse(readFileSync('people.json')), 500)
}

const app = koa(feathers())
app.set('knex', knex)
app.set('authentication', {
  entity: 'user',
  service: 'users',
  secret: 'live-secret',
  authStrategies: ['jwt', 'local'],
  jwtOptions: { expiresIn: '1d' },
  local: { usernameField: 'email', passwordField: 'password' },
})
app.use(errorHandler())
app.use(parseAuthentication())
app.use(bodyParser())
app.configure(rest())

const authentication = new AuthenticationService(app)
authentication.register('jwt', new JWTStrategy())
authentication.register('local', new LocalStrategy())
app.use('authentication', authentication)

// For the log-in only: no route leads here.
app.use('users', new KnexService({ Model: knex, name: 'users' }), { methods: [] })
app.service('users').hooks({ before: { create: [hooks.hashPassword('password')] } })
app.configure(people)

if (!(await knex.schema.hasTable('people'))) await fill()
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
