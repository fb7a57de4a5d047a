/** No file that a person wrote is nested deeper; parsers and walks overflow the stack some thousand levels down. */
export const deepestNesting = 256;

/**
 * Where brackets or indentation nest too deeply, as an offset into the text, or -1. It runs before any parser does:
 * the YAML parser can take the whole process down on such input. Brackets in strings count too, which no real text
 * notices: it would take hundreds of unclosed ones.
 */
export function tooDeepAt(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === openSquare || code === openCurly) {
      if (++depth > deepestNesting) return index;
    } else if ((code === closeSquare || code === closeCurly) && depth > 0) depth--;
  }
  // `- - - -` and `? ? ?` open a level each, and every further column of indentation may.
  const deepLine = /^(?:[-?] +| ){513}/m.exec(text);
  return deepLine?.index ?? -1;
}

const [openSquare, closeSquare, openCurly, closeCurly] = [0x5b, 0x5d, 0x7b, 0x7d];
