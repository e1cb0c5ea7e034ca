// Strapi's own controller; besides, a row belongs to who created it, and its owner reads all of it.
const { createCoreController } = require('@strapi/strapi').factories

const uid = 'api::person.person'

module.exports = createCoreController(uid, ({ strapi }) => {
  async function ownRow(ctx) {
    const { id: documentId } = ctx.params
    const row = await strapi.documents(uid).findOne({ documentId, populate: ['owner'] })
    return row?.owner && row.owner.id === ctx.state.user?.id ? row : null
  }
  return {
    async create(ctx) {
      const answer = await super.create(ctx)
      const { documentId } = answer.data
      await strapi.documents(uid).update({ documentId, data: { owner: ctx.state.user.id } })
      return answer
    },
    async findOne(ctx) {
      const row = await ownRow(ctx)
      if (!row) return super.findOne(ctx)
      const { owner, ...shown } = row
      return { data: shown }
    },
    async update(ctx) {
      return (await ownRow(ctx)) ? super.update(ctx) : ctx.forbidden()
    },
    async delete(ctx) {
      return (await ownRow(ctx)) ? super.delete(ctx) : ctx.forbidden()
    },
  }
})
