import { expect, it } from 'vitest'
import { completeBill } from './bill-of-materials.ts'

it('the bill of materials names the product and the licence of each package', () => {
  const library = { type: 'library', version: '1.0.0' }
  const bill = {
    metadata: { component: { ...library, name: 'some-folder' } },
    components: [{ ...library, name: '@scope/tool' }],
  }
  const packages = {
    '': { version: '1.0.0' },
    'node_modules/a/node_modules/@scope/tool': { version: '1.0.0', license: 'MIT OR ISC' },
  }
  const { metadata, components } = completeBill(bill, 'tesp-network', packages)
  expect(metadata.component).toMatchObject({ name: 'tesp-network', type: 'application' })
  expect(components).toMatchObject([{ licenses: [{ expression: 'MIT OR ISC' }] }])
})
