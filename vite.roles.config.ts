import { nodeBundle } from './scripts/build/bundle/node-bundle.ts'

/** The gateway and the workers as one file each; `scripts/build/build-roles.ts` runs this. */
export default nodeBundle({
  root: import.meta.dirname,
  input: { gateway: 'gateway/main.ts', workers: 'workers/main.ts' },
})
