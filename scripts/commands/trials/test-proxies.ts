import { readArguments } from '#scripts/process/read-arguments'
import { trustedCertificate } from '#scripts/proxies/certificate'
import { type ProxyName, versionOf } from '#scripts/proxies/proxy-process'
import { tryProxies } from '#scripts/proxies/proxy-trial'
import { runTrial } from '#scripts/trial/run-trial'

readArguments('npm run test:proxies', {})
const PROXIES: ProxyName[] = ['nginx', 'caddy']

/** `npm run test:proxies`: a member's journey through each proxy that is installed. */
const certificate = trustedCertificate()
const installed = PROXIES.filter((name) => versionOf(name) !== undefined)
for (const name of PROXIES) {
  if (!installed.includes(name)) console.log(`${name}: skipped, it is not installed`)
}
const missing = installed.length > 0 ? undefined : 'no proxy is installed'
await runTrial('Proxies', missing, (trial) => tryProxies(trial, installed, certificate))
