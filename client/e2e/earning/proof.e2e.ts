import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { button, identity, openAs } from '#client/e2e/testing/actions.ts'
import { expectAccessible } from '#client/e2e/testing/axe.ts'
import { useJourney } from '#client/e2e/testing/journey.ts'
import { readSeals, sealKey, signSeals } from '#db/ledger/seals/seal-chain'
import { sealLedger } from '#db/ledger/seals/seal-steps'
import { aKey, makeProof } from '#db/ledger/seals/testing/make-proof'
import { DAY_MS } from '#rules/constants'
import type { Receipt } from '#rules/seal/receipt'
import { advance } from '#scripts/testing/db/clock'
import { recordSwept } from '#scripts/testing/db/history'

describe('the proof of a row', () => {
  const seed = randomBytes(32)
  const journey = useJourney({ LEDGER_SEAL_KEY: seed.toString('base64') })
  const vera = identity('vera')
  let page: Page
  let proof: Receipt

  const choose = (receipt: Receipt) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'proof.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(receipt)),
    })
  const seeVerdict = (name: string) => page.getByRole('heading', { name }).waitFor()
  const main = async () => (await page.locator('main').textContent()) ?? ''
  /** What a forger writes: the same day and seal, a large amount, all signed by a key of their own. */
  const forged = () => {
    const row = proof.row.replace(/\|TESP\|[^|]+/, '|TESP|999999.00000000')
    const { hash: _, signature: _s, publicKey: _k, root: _r, ...seal } = proof.seal
    return makeProof(aKey(), { rows: [row], members: seal.members, seal })
  }

  it('a member downloads it once the day is sealed', async () => {
    const visitor = journey.visitor()
    await visitor.register(vera)
    await visitor.call('POST /api/tasks/complete', { body: { taskId: 'join_telegram' } })
    const { db } = journey.product
    await advance(db, 2 * DAY_MS)
    await recordSwept(db)
    // A step waits for transactions and steps of the workers, which may also seal the day themselves.
    const seal = async () => {
      await sealLedger(db)
      await signSeals(db, sealKey(seed))
      const [first] = await readSeals(db, 0)
      return first ?? { due: await db('ledger_seal_due'), swept: await db('credit_sweeps') }
    }
    await expect.poll(seal).toMatchObject({ signature: expect.any(String) })
    page = await openAs(journey, vera.username, '/wallet')
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page
      .getByRole('button', { name: /Telegram/ })
      .first()
      .click()
    const link = await page.getByRole('link', { name: 'Verify a proof' }).boundingBox()
    expect(link?.height).toBeGreaterThanOrEqual(44)
    const download = page.waitForEvent('download')
    await button(page, 'Download proof').click()
    proof = JSON.parse(await fs.readFile(await (await download).path(), 'utf8'))
    expect(proof.seal.signature).toBeTruthy()
  })

  it('anybody sees that it is valid, and who signed it', async () => {
    page = await journey.open('/verify')
    await choose(proof)
    await seeVerdict('This proof is valid')
    expect(await main()).toMatch(/Signed by TESP Network on \w/)
    expect(await main()).toMatch(/\d\.\d{8} TESP/)
    await expectAccessible(page)
  })

  it('a forged one is not valid, and its amount is not shown', async () => {
    await choose(forged())
    await seeVerdict('Signed by an unknown key: not valid')
    expect(await main()).not.toContain('999999')
    await expectAccessible(page)
    const row = proof.row.replace(/\|TESP\|[^|]+/, '|TESP|999999.00000000')
    await choose({ ...proof, row, rows: [row] })
    await seeVerdict('This proof is not valid')
    expect(await main()).not.toContain('999999')
  })

  it('without a connection the keys of the page still tell them apart', async () => {
    journey.allow(/ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await choose(proof)
    await seeVerdict('This proof could not be compared')
    expect(await main()).toMatch(/Signed by TESP Network on \w/)
    await choose(forged())
    await seeVerdict('Signed by an unknown key: not valid')
    await choose(proof)
    await seeVerdict('This proof could not be compared')
    await page.context().setOffline(false)
    await button(page, 'Try Again').click()
    await seeVerdict('This proof is valid')
  })
})
