import { verifyFile } from '#operators/actions/verify-file'
import { OperatorError } from '#runtime/operator-error'
import { readArguments } from '#runtime/process/read-arguments'

const CALL = 'npm run verify -- <receipt.json> [--roots <file or address>] [--key <public key>]'

const USAGE = `${CALL}

Checks that the row of a receipt is in the sealed ledger. The key in the file is not trusted, because
anybody can make one: give a key, seals or both. Without --roots nothing needs a network.

  --roots  seals from a source that you trust: a file that was saved from /api/ledger/roots, or its address
  --key    the public key that you trust, 32 bytes in base64; /api/ledger/keys lists those of a server.
           Without it, it is that of the seal in --roots.

Ends with 0 if the receipt is signed by that key and no check fails, with 1 if it is not, and with 2 if
it could not be checked.`

const { values, positionals } = readArguments(CALL, {
  allowPositionals: true,
  options: { roots: { type: 'string' }, key: { type: 'string' } },
})
const [file] = positionals

try {
  if (!file) throw new OperatorError(USAGE)
  process.exit((await verifyFile(file, values)) ? 0 : 1)
} catch (error) {
  if (!(error instanceof OperatorError)) throw error
  console.error(error.message)
  process.exit(2)
}
