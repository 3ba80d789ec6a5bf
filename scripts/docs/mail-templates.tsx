/** @jsxRuntime automatic */
import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Html } from '@react-email/html'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import type { CSSProperties, ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { NETWORK_NAME } from '#rules/constants'

const SANS = "Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = "'JetBrains Mono',ui-monospace,Menlo,Consolas,'Courier New',monospace"

/** Every mail program shows these light styles; those that know dark mode read DARK (client/theme/tokens.css). */
const STYLE = {
  body: { margin: 0, padding: '24px 12px', backgroundColor: '#eef3f1', fontFamily: SANS },
  card: {
    maxWidth: '480px',
    padding: '28px 28px 20px',
    backgroundColor: '#ffffff',
    border: '1px solid #dbe4e0',
    borderRadius: '20px',
  },
  name: { margin: '0 0 20px', fontSize: '14px', fontWeight: 600, color: '#0b7a53' },
  text: { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px', color: '#16211e' },
  panel: { margin: '0 0 16px', backgroundColor: '#eef3f1', borderRadius: '12px' },
  lines: {
    margin: 0,
    padding: '14px 18px',
    fontSize: '15px',
    lineHeight: '24px',
    color: '#16211e',
    overflowWrap: 'anywhere',
  },
  code: {
    margin: 0,
    padding: '18px 8px',
    fontFamily: MONO,
    fontSize: '36px',
    lineHeight: '44px',
    fontWeight: 600,
    letterSpacing: '6px',
    textAlign: 'center',
    color: '#16211e',
    userSelect: 'all',
  },
  button: {
    padding: '13px 22px',
    backgroundColor: '#5bf0b5',
    borderRadius: '12px',
    fontSize: '16px',
    lineHeight: '22px',
    fontWeight: 600,
    color: '#04140d',
  },
  row: { margin: '0 0 20px' },
  quiet: { margin: '0 0 16px', fontSize: '14px', lineHeight: '20px' },
  link: { color: '#0b7a53' },
} satisfies Record<string, CSSProperties>

const DARK = `@media (prefers-color-scheme:dark){
.ground,.ground>table>tbody>tr>td{background-color:#070b0c!important}
.card{background-color:#0f1617!important;border-color:#1f2728!important}
.panel{background-color:#1a2223!important}
.ink{color:#e8f0ee!important}
.mint{color:#5bf0b5!important}
}`

const HIDDEN = { display: 'none', overflow: 'hidden', maxHeight: 0, maxWidth: 0, opacity: 0 }

const panelOf = (text: string, style: CSSProperties) => (
  <Section className="panel" style={STYLE.panel}>
    <Text className="ink" style={style}>
      {text}
    </Text>
  </Section>
)

/** `{{…}}` are the values of `htmlFragment` in db/mail-texts. */
const FRAGMENTS: Record<string, ReactElement> = {
  page: (
    <Html lang="{{language}}">
      <Head>
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
        <title>{'{{subject}}'}</title>
        <style>{DARK}</style>
      </Head>
      <Body className="ground" style={STYLE.body}>
        <div style={HIDDEN}>{'{{preview}}'}</div>
        <Container className="card" style={STYLE.card}>
          <Text className="mint" style={STYLE.name}>
            {NETWORK_NAME}
          </Text>
          {'{{blocks}}'}
        </Container>
      </Body>
    </Html>
  ),
  paragraph: (
    <Text className="ink" style={STYLE.text}>
      {'{{text}}'}
    </Text>
  ),
  code: panelOf('{{code}}', STYLE.code),
  panel: panelOf('{{lines}}', STYLE.lines),
  button: (
    <Section style={STYLE.row}>
      <Button href="{{link}}" style={STYLE.button}>
        {'{{label}}'}
      </Button>
    </Section>
  ),
  quietLink: (
    <Text style={STYLE.quiet}>
      <a className="mint" href="{{link}}" style={STYLE.link}>
        {'{{label}}'}
      </a>
    </Text>
  ),
}

const DOCTYPE = '<!DOCTYPE html>'

/** The text of db/mail-texts/templates.json, so that no process needs React to write a mail. */
export function mailTemplates(): string {
  const templates = Object.entries(FRAGMENTS).map(([name, fragment]) => {
    const html = renderToStaticMarkup(fragment)
    return [name, name === 'page' ? DOCTYPE + html : html]
  })
  return `${JSON.stringify(Object.fromEntries(templates), null, 2)}\n`
}
