import { execFileSync } from 'node:child_process'
import path from 'node:path'

/** A certificate for `localhost` that signs itself, and its key. */
export type Certificate = { certificate: string; key: string }

/** Makes one with openssl in the folder. */
export function makeCertificate(folder: string): Certificate {
  const certificate = path.join(folder, 'certificate.pem')
  const key = path.join(folder, 'key.pem')
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject]
  execFileSync('openssl', [...made, '-out', certificate, '-keyout', key], { stdio: 'ignore' })
  return { certificate, key }
}
