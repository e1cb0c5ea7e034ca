// The service of people as the generator of Feathers writes it: schemas, resolvers, hooks. An external
// resolver hides religion, income and note from all but the owner of a row.
import { authenticate } from '@feathersjs/authentication'
import { Forbidden } from '@feathersjs/errors'
import { KnexService } from '@feathersjs/knex'
import { Ajv, hooks as schema, resolve } from '@feathersjs/schema'
import { getValidator, querySyntax, Type } from '@feathersjs/typebox'

const text = Type.Optional(Type.String())
const person = Type.Object({
  id: Type.Number(),
  handle: Type.String(),
  name: text,
  city: text,
  age_band: text,
  religion: text,
  income: Type.Optional(Type.Number()),
  note: text,
  owner: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
})
const shown = ['id', 'handle', 'name', 'city', 'age_band']

// What may be asked for: the generator offers all properties; `closed` names those that are shown.
const asked = process.env.VARIANT === 'closed' ? Type.Pick(person, shown) : person
const queryValidator = getValidator(
  querySyntax(asked, {}, { additionalProperties: false }),
  new Ajv({ coerceTypes: true }),
)
const dataValidator = getValidator(
  Type.Omit(person, ['id', 'owner'], { additionalProperties: false }),
  new Ajv({}),
)
const patchValidator = getValidator(
  Type.Partial(Type.Omit(person, ['id', 'owner']), { additionalProperties: false }),
  new Ajv({}),
)

const forOwner = async (value, row, { params }) =>
  params.user && row.owner === params.user.id ? value : undefined
const external = resolve({
  religion: forOwner,
  income: forOwner,
  note: forOwner,
  owner: async () => undefined,
})
const ownedByItsCreator = resolve({ owner: async (value, row, { params }) => params.user.id })

async function mustOwn({ app, id, params }) {
  const row = await app.get('knex')('people').where({ id }).first('owner')
  if (row && row.owner !== params.user.id) throw new Forbidden('This is not your row.')
}

// Whoever sends a token is known; nobody needs one to read.
async function perhapsSomebody(context) {
  if (context.params.authentication) await authenticate('jwt')(context)
}

export function people(app) {
  const options = {
    Model: app.get('knex'),
    name: 'people',
    paginate: { default: 20, max: 2500 },
  }
  const methods = ['find', 'get', 'create', 'patch', 'remove']
  app.use('people', new KnexService(options), { methods })
  app.service('people').hooks({
    around: { all: [schema.resolveExternal(external)] },
    before: {
      find: [perhapsSomebody, schema.validateQuery(queryValidator)],
      get: [perhapsSomebody, schema.validateQuery(queryValidator)],
      create: [
        authenticate('jwt'),
        schema.validateData(dataValidator),
        schema.resolveData(ownedByItsCreator),
      ],
      patch: [authenticate('jwt'), mustOwn, schema.validateData(patchValidator)],
      remove: [authenticate('jwt'), mustOwn],
    },
  })
}
