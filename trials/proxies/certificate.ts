import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Files of a certificate for `localhost` that signs itself, and of its key. */
export type Certificate = { certificate: string; key: string }

const filesIn = (folder: string): Certificate => ({
  certificate: path.join(folder, 'certificate.pem'),
  key: path.join(folder, 'key.pem'),
})

function makeCertificate(folder: string): Certificate {
  const { certificate, key } = filesIn(folder)
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject]
  execFileSync('openssl', [...made, '-out', certificate, '-keyout', key], { stdio: 'ignore' })
  return { certificate, key }
}

/**
 * A certificate that this process trusts. Node reads additional authorities at its start only, so
 * the first call runs this program again in a child process and ends with its exit code.
 */
export function trustedCertificate(): Certificate {
  const trusted = process.env.NODE_EXTRA_CA_CERTS
  if (trusted && process.env.TESP_PROXY_TRIAL) return filesIn(path.dirname(trusted))
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tesp-certificate-'))
  // nginx and Caddy may run under another account.
  fs.chmodSync(folder, 0o755)
  const { certificate } = makeCertificate(folder)
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: certificate, TESP_PROXY_TRIAL: '1' }
  const argv = [...process.execArgv, ...process.argv.slice(1)]
  const { status } = spawnSync(process.execPath, argv, { stdio: 'inherit', env })
  fs.rmSync(folder, { recursive: true, force: true })
  process.exit(status ?? 1)
}
