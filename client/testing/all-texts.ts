import { loadTexts } from '#client/language/load-texts.ts'
import { SCREEN_NAMESPACES } from './screen-namespaces.ts'

// The app loads the texts of a screen with its code; tests import the code alone.
await loadTexts('common', 'errors', ...SCREEN_NAMESPACES)
