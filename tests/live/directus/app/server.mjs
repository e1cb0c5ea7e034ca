// Directus on PostgreSQL. Permissions give everybody the shown fields of a person, and the owner all.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { fill } from './fill.mjs'

const isNew = !existsSync('filled')
if (isNew) {
  const options = ['--import', './without_sandbox.mjs', 'bootstrap.mjs']
  execFileSync(process.execPath, options, { stdio: 'inherit' })
}
const { startServer } = await import('@directus/api/server')
await startServer()
if (isNew) {
  await fill()
  writeFileSync('filled', '')
}
