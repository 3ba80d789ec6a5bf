import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { RichText } from './rich-text.tsx'

const elements = { figure: <b className="figure" />, amount: <i>5 TESP</i> }

it.each([
  ['Free in <figure>3 min</figure>.', 'Free in <b class="figure">3 min</b>.'],
  ['<amount/> and <amount/>', '<i>5 TESP</i> and <i>5 TESP</i>'],
  ['No element', 'No element'],
  ['An <unknown>element</unknown>', 'An element'],
  ['<figure>a < b & "c"</figure>', '<b class="figure">a &lt; b &amp; "c"</b>'],
  ['<script>alert(1)</script>', 'alert(1)'],
  ['1 < 2 <figure>open', '1 &lt; 2 &lt;figure&gt;open'],
])('the text %s is rendered with its elements', (text, html) => {
  const { container } = render(<RichText text={text} elements={elements} />)
  expect(container.innerHTML).toBe(html)
})
