const names = ['errors', 'security', 'cors', 'query', 'body', 'favicon', 'public']

module.exports = names.map((name) => `strapi::${name}`)
