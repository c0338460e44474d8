// Public door `continuo/testing`: what authors of drivers and agents need to test theirs.
export { type ConformanceSubject, type RunnableCase, storeConformance } from './store-conformance/store-conformance.ts';
