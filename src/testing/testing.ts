// Public door `continuo/testing`: what authors of drivers and agents need to test theirs.
export { embedderConformance } from './embedder-conformance.ts';
export { createHashingEmbedder, type HashingEmbedderOptions } from './hashing-embedder.ts';
export { createScriptedModel, type ScriptedAnswer, type ScriptedModel, type ScriptedRequest } from './scripted-model.ts';
export { type ConformanceSubject, type RunnableCase, storeConformance } from './store-conformance/store-conformance.ts';
