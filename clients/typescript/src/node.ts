export { type DownloadToOptions, downloadTo } from './node/download-to.ts';
export { uploadOf } from './node/upload-of.ts';
