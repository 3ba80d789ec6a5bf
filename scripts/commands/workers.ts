import { runBundledRole } from '#scripts/process/run-bundled-role'

await runBundledRole('workers')
