import { readArguments } from '#runtime/process/read-arguments'
import { runTrial } from '#trials/kit/trial'
import { tryRotation } from '#trials/rotation/rotation-trial'

readArguments('npm run test:rotation', {})
/** `npm run test:rotation`: changes each secret of a running product. */
await runTrial('Rotation of secrets', tryRotation)
