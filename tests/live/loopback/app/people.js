// The model and its REST routes, as @loopback/rest-crud makes them. `hiddenProperties` keep religion,
// income and note out of answers; an owner reads them under /people/ID.
const { DefaultCrudRepository, ModelDefinition, defineModelClass, Entity } = require('@loopback/repository')
const { defineCrudRestController } = require('@loopback/rest-crud')

const { mustOwn, user } = require('./owners')

const definition = new ModelDefinition('Person')
  .addProperty('id', { type: 'number', id: true, generated: true })
  .addProperty('handle', { type: 'string', required: true, index: { unique: true } })
for (const name of ['name', 'city', 'age_band', 'religion', 'note', 'owner']) {
  definition.addProperty(name, { type: 'string' })
}
definition
  .addProperty('income', { type: 'number' })
  .addSetting('hiddenProperties', ['religion', 'income', 'note', 'owner'])
  // What LoopBack offers against being asked by hidden properties; it is off unless asked for.
  .addSetting('prohibitHiddenPropertiesInQuery', process.env.VARIANT === 'prohibited')

const Person = defineModelClass(Entity, definition)

class People extends DefaultCrudRepository {
  constructor(database) {
    super(Person, database)
  }
}

const Controller = defineCrudRestController(Person, { basePath: '/people' })
const { create, deleteById, findById, updateById } = Controller.prototype

Object.assign(Controller.prototype, {
  create(data) {
    return create.call(this, { ...data, owner: user().email })
  },
  async findById(id, filter) {
    const row = await findById.call(this, id, filter)
    return row.owner === user()?.email ? { ...row } : row
  },
  async updateById(id, data) {
    mustOwn(await this.repository.findById(id))
    return updateById.call(this, id, data)
  },
  async deleteById(id) {
    mustOwn(await this.repository.findById(id))
    return deleteById.call(this, id)
  },
  updateAll: undefined,
  replaceById: undefined,
})

module.exports = { Controller, People }
