import { Registry } from 'prom-client'

/**
 * An empty registry for the metrics of one process; roles that run in one process share it. The
 * global registry of prom-client is not used: importing a file must not register anything, and two
 * gateways in one test process must not share figures.
 */
export function createRegistry(): Registry {
  return new Registry()
}
