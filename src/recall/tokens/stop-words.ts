// Words that say how something is asked, not what about. They are in the index, since phrases need them, but a question that holds
// anything else is asked without them.
import { tokenizeText } from './tokenize-text.ts';

/** Words of grammar: they say nothing about the subject of anything. */
export const functionWords: readonly string[] = [
  'a an the and or but nor of to in on at by for with from as into over about than then so if is are was were be been',
  'being am do does did done have has had having i you he she it we they me him her us them my your his its our their',
  'this that these those what which who whom whose when where why how can could would should will shall may might must',
  'not no yes please tell show give there here just any some all again before after earlier last previous ago ever',
  'already still also too very said say says talk talked let go get got make made off up out ok okay hi hello hey thanks',
  'thank re ve ll',
]
  .join(' ')
  .split(' ');

/** Talk about the talk, and what is left of shortened words and addresses: in a question they say nothing, in a text they may. */
const talkWords = [
  'previously saying talking discuss discussed remember recall mention mentioned continue continued resume carry left d m',
  's t don didn doesn isn wasn aren weren won couldn shouldn wouldn http https www com',
].join(' ');

let englishTokens: ReadonlySet<string> | undefined;

export function isStopWord(token: string): boolean {
  englishTokens ??= new Set(
    tokenizeText(`${functionWords.join(' ')} ${talkWords}`)
      .trimEnd()
      .split(' '),
  );
  return englishTokens.has(token);
}

/** Longest first, so that 为什么 does not leave 为 behind. */
export const unspacedStopWords =
  /为什么|有没有|是不是|能不能|可不可以|记不记得|怎么样|什么时候|多少|多久|多长|多大|多高|多远|几点|几个|哪种|哪一|哪家|怎么办|来着|我们|你们|他们|她们|咱们|什么|怎么|怎样|如何|哪里|哪儿|哪个|哪些|那个|这个|这些|那些|之前|以前|上次|上回|刚才|刚刚|记得|说过|聊过|聊到|说到|讨论过|提过|提到|告诉|一下|可以|是否|关于|请问|一个|没有|还是|或者|以及|因为|所以|但是|如果|时候|现在|已经|继续|接着|について|ください|でしょうか|でした|ました|ません|ですか|ますか|です|ます|という|どう|何を|합니다|했습니다|습니다|입니다|무엇|어떻게/g;

const particles = /[的了吗呢吧啊呀么是我你他她它们这那は]/;

/** A pair with a particle in it is usually no word. */
export function holdsParticle(pair: string): boolean {
  return particles.test(pair);
}

/** Japanese grammar is written in hiragana: such a pair says little. */
export function isGrammar(pair: string): boolean {
  return /^[\u3041-\u309f]+$/.test(pair);
}

/** A piece without the particles around it, where a word is left: 的数据库是 gives 数据库, and 目的 stays. */
export function withoutEdges(piece: string): string {
  const inner = piece.replace(/^[的了是在和与把被]+|[的了吗呢吧啊呀么是]+$/g, '');
  return inner.length >= 2 ? inner : piece;
}
