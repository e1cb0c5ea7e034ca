// Who asks, who owns a row, and who may write it. LoopBack leaves that to the application.
const { AsyncLocalStorage } = require('node:async_hooks')
const { randomBytes } = require('node:crypto')
const { readFileSync } = require('node:fs')

const { HttpErrors } = require('@loopback/rest')

const accounts = JSON.parse(readFileSync('accounts.json'))
const users = new Map() // by token
const asking = new AsyncLocalStorage()

const user = () => asking.getStore()

function logIn({ email, password }) {
  const account = accounts.find((one) => one.email === email && one.password === password)
  if (!account) throw new HttpErrors.Unauthorized('There is no such account.')
  const token = randomBytes(16).toString('hex')
  users.set(token, account)
  return { token }
}

// Every request runs as its user, or as nobody; nobody may read only.
async function middleware({ request }, next) {
  const who = users.get((request.headers.authorization ?? '').replace('Bearer ', ''))
  const reads = request.method === 'GET' || request.path === '/login'
  if (!who && !reads) throw new HttpErrors.Unauthorized('Log in first.')
  return asking.run(who, next)
}

function mustOwn(row) {
  if (row.owner !== user()?.email) throw new HttpErrors.Forbidden('This is not your row.')
}

module.exports = { logIn, middleware, mustOwn, user }
