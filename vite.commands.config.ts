import { nodeBundle } from './scripts/build/bundle/node-bundle.ts'

/**
 * The operators' commands of the image; `scripts/build/build-roles.ts` runs this. A build of its
 * own: shared chunks would split the files of the roles.
 */
export default nodeBundle({
  root: import.meta.dirname,
  input: {
    audit: 'operators/main/audit.ts',
    console: 'operators/main/console.ts',
    migrate: 'operators/main/migrate.ts',
    ops: 'operators/main/ops.ts',
  },
})
