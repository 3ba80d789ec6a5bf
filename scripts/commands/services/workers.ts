import { runBundledRole } from '#scripts/build/run-bundled-role'

await runBundledRole('workers')
