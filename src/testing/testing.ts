// Public door `continuo/testing`: what authors of drivers and agents need to test theirs.
export { createScriptedModel, type ScriptedAnswer, type ScriptedModel, type ScriptedRequest } from './scripted-model.ts';
export { type ConformanceSubject, type RunnableCase, storeConformance } from './store-conformance/store-conformance.ts';
