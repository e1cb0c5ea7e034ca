// The sandbox for extensions is compiled when it is installed, and here no package runs a program while
// it is installed. There are no extensions, so an empty module does.
import { registerHooks } from 'node:module'

const url = new URL('./no_sandbox.cjs', import.meta.url).href

registerHooks({
  resolve: (name, context, next) =>
    name === 'isolated-vm' ? { url, shortCircuit: true } : next(name, context),
})
