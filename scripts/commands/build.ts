import { buildClient } from '#scripts/build/build-client'

const built = await buildClient()
console.log(built ? 'The client is built: dist/client' : 'The client is up to date: dist/client')
process.exit(0)
