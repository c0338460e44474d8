// What a member says as it is shown while it comes: without the markers that give others the word and without todo lists, which are
// shown elsewhere. What might become such a thing is held back until it is known; inside of code everything is shown as it is.

const markers = /[ \t]*\[\s*(?:NEXT|TEAM_TASK)\s*:[^\]]*\]/gi;
const fence = /^\s{0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)/;
/** Longer than any marker that somebody means. */
const mostHeld = 2000;

export class SpokenText {
  #rest = '';
  #fence: { marks: string; isTodo: boolean } | undefined;
  /** Part of the line is shown already. */
  #isBegun = false;

  /** What can be shown of what was said so far and was not shown yet. */
  push(text: string): string {
    this.#rest += text;
    let shown = '';
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      shown += this.#showLine(this.#rest.slice(0, end), '\n');
      this.#rest = this.#rest.slice(end + 1);
    }
    const known = this.#knownLength();
    if (known > 0) this.#isBegun = true;
    shown += this.#rest.slice(0, known);
    this.#rest = this.#rest.slice(known);
    return shown;
  }

  /** Nothing more comes. */
  end(): string {
    const rest = this.#rest;
    this.#rest = '';
    const shown = this.#showLine(rest, '');
    this.#fence = undefined;
    return shown;
  }

  #showLine(line: string, end: string): string {
    const isBegun = this.#isBegun;
    this.#isBegun = false;
    if (isBegun) return line.replace(markers, '') + end;
    const [, marks = '', language = ''] = fence.exec(line) ?? [];
    if (this.#fence) {
      const { isTodo, marks: opening } = this.#fence;
      if (marks.startsWith(opening) && language === '') this.#fence = undefined;
      return isTodo ? '' : line + end;
    }
    if (marks !== '') {
      const isTodo = /^todos?$/i.test(language);
      this.#fence = { marks, isTodo };
      return isTodo ? '' : line + end;
    }
    const stripped = line.replace(markers, '');
    return stripped.trim() === '' && stripped !== line ? '' : stripped + end;
  }

  /** How much of a line without an end can be shown already: all before a marker, or before what might become one. */
  #knownLength(): number {
    const line = this.#rest;
    if (line.length > mostHeld) return line.length;
    if (!this.#isBegun && (this.#fence || /^\s{0,3}(?:[`~]|$)/.test(line))) return 0;
    const marker = line.search(possible);
    return (marker < 0 ? line : line.slice(0, marker)).trimEnd().length;
  }
}

/** A marker, or the beginning of one at the end. */
const possible = /\[\s*(?:(?:NEXT|TEAM_TASK)\s*:|(?:N(?:E(?:XT?)?)?|T(?:E(?:A(?:M(?:_(?:T(?:A(?:SK?)?)?)?)?)?)?)?)?\s*$)/i;
