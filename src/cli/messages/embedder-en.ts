// What the program says in English about the models that find by meaning, and the help for them.
import type { Example } from './example.ts';

export const embedderEn = {
  embedder: {
    wordsAlone: (reason: string) => `Looking by words alone. ${reason}`,
    headings: { kind: 'Embedder', what: 'What it is', state: 'State' },
    kinds: {
      static: 'the model that comes with Continuo: offline, very fast',
      'openai-compatible': 'a server: OpenAI, Ollama, vLLM',
      onnx: 'a sentence model in a local folder',
      none: 'by words alone',
    },
    inUse: 'in use',
    ready: 'can be used',
    notBundled: 'not part of this installation',
    install: (command: string) => `needs: ${command}`,
    using: (id: string, dimension: number) => `In use: ${id}, ${dimension} dimensions.`,
    usingNone: 'None is in use: what is asked for is found by its words.',
    coverage: (embedded: number, left: number) =>
      left === 0
        ? `Everything is embedded (${embedded} with a vector).`
        : `${embedded} with a vector, ${left} still to be looked at. Go on with: continuo reindex --vectors`,
    howToUse: 'To change it: continuo embedder use KIND',
    tested: (id: string, dimension: number) => `${id}, ${dimension} dimensions`,
    times: (open: string, text: string) => `Opened in ${open} ms, ${text} ms a text.`,
    noneToTest: 'No embedder is in use. Choose one first: continuo embedder use KIND',
    label: 'Embedding',
    done: (kind: string, id: string, dimension: number) => `${kind} is in use now: ${id}, ${dimension} dimensions.`,
    doneNone: 'No embedder is in use now: what is asked for is found by its words.',
    embedded: (count: number) => `${count} embedded anew.`,
    later: 'Nothing is embedded yet. Do it with: continuo reindex --vectors',
    interrupted: 'What was embedded stays. Go on with: continuo reindex --vectors',
    usage: {
      use: 'Say which: continuo embedder use static, openai-compatible, onnx FOLDER or none',
      folder: 'Say which folder holds the model: continuo embedder use onnx FOLDER',
      server:
        'Say where and which: continuo embedder use openai-compatible --base-url http://127.0.0.1:11434/v1 --model nomic-embed-text',
      keyEnv: '--key-env takes the name of an environment variable, as OPENAI_API_KEY, not the key itself.',
      unfit: (option: string, kind: string) => `${option} means nothing for ${kind}.`,
      list: '"continuo embedder list" takes nothing more.',
    },
  },
};

export const embedderHelpEn = {
  embedder: {
    summary: 'The model that finds by meaning: see, try and choose it',
    description:
      'Search finds by words, and by meaning where there is an embedder. "list" shows which can be used, which one is, and how much of the index it has embedded. "test" embeds some texts and shows how near they are to each other. "use" tries an embedder, writes it into the settings and embeds everything anew; the one before answers until that is done, and what is interrupted goes on with "continuo reindex --vectors".',
    arguments: { action: 'list (default), test or use', words: 'Texts to compare; for use: the kind, and with onnx the folder' },
    options: {
      baseUrl: 'Of a server, with the version: http://127.0.0.1:11434/v1',
      model: 'The name the server knows the model by; with onnx its file, where the folder holds several',
      keyEnv: 'The environment variable that holds the key; the key itself is not stored',
      dimension: 'Numbers in a vector (default: the server is asked)',
      pooling: 'With onnx: mean or cls, where the folder does not say',
      queryPrefix: 'Put before questions, where the model was trained so; none for nothing',
      passagePrefix: 'Put before what is searched; none for nothing',
      later: 'Do not embed now',
    },
    examples: [
      { command: 'continuo embedder', means: 'What there is, what is in use and how far it is' },
      { command: 'continuo embedder test "login times out" "sign-in is slow"', means: 'How near two texts are to each other' },
      {
        command: 'continuo embedder use openai-compatible --base-url http://127.0.0.1:11434/v1 --model nomic-embed-text',
        means: 'A model that Ollama runs on this machine',
      },
      {
        command:
          'continuo embedder use openai-compatible --base-url https://api.openai.com/v1 --model text-embedding-3-small --key-env OPENAI_API_KEY',
        means: 'A service, with the key from the environment',
      },
      { command: 'continuo embedder use onnx ~/models/multilingual-e5-small', means: 'A model in a folder of this machine' },
      { command: 'continuo embedder use none', means: 'By words alone' },
    ] as Example[],
  },
};
