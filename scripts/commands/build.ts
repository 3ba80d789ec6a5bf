import { readArguments } from '#runtime/process/read-arguments'
import { buildClient } from '#scripts/build/build-client'
import { buildCommands, buildRoles } from '#scripts/build/build-roles'

readArguments('npm run build', {})
const built = await buildClient()
console.log(built ? 'The client is built: dist/client' : 'The client is up to date: dist/client')
const bundled = await buildRoles()
console.log(bundled ? 'The roles are built: dist/roles' : 'The roles are up to date: dist/roles')
const commands = await buildCommands()
console.log(
  commands ? 'The commands are built: dist/commands' : 'The commands are up to date: dist/commands',
)
process.exit(0)
