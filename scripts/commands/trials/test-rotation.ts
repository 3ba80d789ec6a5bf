import { readArguments } from '#scripts/process/read-arguments'
import { tryRotation } from '#scripts/rotation/rotation-trial'
import { runTrial } from '#scripts/trial/run-trial'

readArguments('npm run test:rotation', {})
/** `npm run test:rotation`: changes each secret of a running product. */
await runTrial('Rotation of secrets', undefined, tryRotation)
