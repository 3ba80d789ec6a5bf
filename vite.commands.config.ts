import { nodeBundle } from './scripts/build/bundle/node-bundle.ts'

/**
 * The operators' commands of the image; `scripts/build/build-commands.ts` runs this. A build of its
 * own: shared chunks would split the files of the roles.
 */
export default nodeBundle({
  root: import.meta.dirname,
  input: {
    audit: 'operators/commands/audit.ts',
    migrate: 'operators/commands/migrate.ts',
    ops: 'operators/commands/ops.ts',
    review: 'operators/commands/review.ts',
  },
  replace: { '#scripts/embedded/local-database': 'configured-database.ts' },
})
