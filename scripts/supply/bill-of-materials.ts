import { licenceOf } from './licences.ts'
import { type LockedPackages, nameOf } from './lock.ts'

type Component = { name: string; version: string; type: string; licenses?: unknown }
/** The parts of a CycloneDX document that are completed here. */
type Bill = { metadata: { component: Component }; components: Component[] }

/**
 * Completes what `npm sbom` writes from a lock file: it leaves out licences, and names the product
 * after its folder.
 */
export function completeBill<B extends Bill>(
  bill: B,
  product: string,
  packages: LockedPackages,
): B {
  const licences = new Map(
    Object.entries(packages).map(([folder, { version }]) => [
      `${nameOf(folder)}@${version}`,
      licenceOf(packages, folder),
    ]),
  )
  const { metadata } = bill
  return {
    ...bill,
    metadata: {
      ...metadata,
      component: { ...metadata.component, name: product, type: 'application' },
    },
    components: bill.components.map((component) => {
      const expression = licences.get(`${component.name}@${component.version}`)
      return expression ? { ...component, licenses: [{ expression }] } : component
    }),
  }
}
