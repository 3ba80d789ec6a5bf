import { buildClient } from '#scripts/build/build-client'
import { buildRoles } from '#scripts/build/build-roles'

const built = await buildClient()
console.log(built ? 'The client is built: dist/client' : 'The client is up to date: dist/client')
const bundled = await buildRoles()
console.log(bundled ? 'The roles are built: dist/roles' : 'The roles are up to date: dist/roles')
process.exit(0)
