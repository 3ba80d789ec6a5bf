import { nodeBundle } from './scripts/build/bundle/node-bundle.ts'

/**
 * The operators' commands of the image; `scripts/build/build-roles.ts` runs this. A build of its
 * own: shared chunks would split the files of the roles.
 */
export default nodeBundle({
  root: import.meta.dirname,
  input: Object.fromEntries(
    ['audit', 'console', 'migrate', 'ops'].map((name) => [name, 'operators/main.ts']),
  ),
})
