import { readArguments } from '#runtime/process/read-arguments'
import { runTrial } from '#trials/kit/trial'
import { trustedCertificate } from '#trials/proxies/certificate'
import { type ProxyName, versionOf } from '#trials/proxies/proxy-process'
import { tryProxies } from '#trials/proxies/proxy-trial'

readArguments('npm run test:proxies', {})
const PROXIES: ProxyName[] = ['nginx', 'caddy']

/** `npm run test:proxies`: a member's journey through each proxy that is installed. */
const certificate = trustedCertificate()
const installed = PROXIES.filter((name) => versionOf(name) !== undefined)
for (const name of PROXIES) {
  if (!installed.includes(name)) console.log(`${name}: skipped, it is not installed`)
}
const missing = installed.length > 0 ? undefined : 'no proxy is installed'
if (missing) throw new Error(missing)
await runTrial('Proxies', (trial) => tryProxies(trial, installed, certificate))
