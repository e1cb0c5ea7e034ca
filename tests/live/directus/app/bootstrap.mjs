import bootstrap from '@directus/api/cli/commands/bootstrap/index'

await bootstrap({})
