import type { SafetyCategory } from '../../schema/safety.ts';

/** The version of the lists; change it when a list changes. */
export const SAFETY_WORDS_VERSION = 'safety-words.v1';

interface CategoryWords {
  /** Phrases that are always an issue. */
  readonly phrases: readonly RegExp[];
  /** Words that also have harmless meanings. */
  readonly words: RegExp;
  /** A description of the category, for embeddings. */
  readonly description: string;
}

const PERSON =
  '(him|her|someone|somebody|anyone|people|everyone|(my|his|her|their|your|the|a) (\\w+ )?(wife|husband|girlfriend|boyfriend|boss|neighbou?rs?|co-?worker|colleagues?|classmates?|teacher|brother|sister|mother|father|parents?|child|children|kids?|man|woman|men|women|girl|boy|person|president|police))';
const GROUP =
  '(jews|muslims|christians|hindus|immigrants|migrants|foreigners|refugees|blacks|whites|asians|africans|arabs|mexicans|gypsies|roma|gays|lesbians|homosexuals|women|disabled people)';

/** English only. Phrases are narrow, so that "kill a process" or "shoot a photograph" does not match. */
export const SAFETY_WORDS: Readonly<Record<SafetyCategory, CategoryWords>> = {
  violence: {
    phrases: [
      new RegExp(
        `\\b(kill|murder|stab|strangle|behead|torture|poison|beat up|hurt|injure) ${PERSON}\\b`,
        'i',
      ),
      /\bhit (him|her|them|someone) (with|in|on|until)\b|\bshoot (at )?(people|everyone|someone)\b/i,
      /\b(build|make|plant|detonate|set off)\b.{0,20}\b(bombs?|explosives?|grenades?)\b/i,
      /\bblow up\b.{0,20}\b(schools?|buildings?|church|mosque|synagogue|trains?|planes?|airports?|people)\b/i,
      /\b(going to|gonna|will) (kill|shoot|stab|murder)\b.{0,10}\b(you|him|her|them|everyone|people)\b/i,
    ],
    words:
      /\b(kill(s|ed|ing)?|murder\w*|stab(bed|bing)?|shoot(ing)?|bomb\w*|weapons?|guns?|massacre|assault\w*|tortur\w*|attack\w*)\b/i,
    description: 'A threat to hurt or kill people, or instructions for attacking them with weapons.',
  },
  self_harm: {
    phrases: [
      /\b(kill|hurt|harm|cut|hang|starve|drown) (myself|yourself|himself|herself|themselves)\b/i,
      /\b(end|take) (my|your|his|her|their) (own )?life\b/i,
      /\b(want|wish|going|ready) to die\b/i,
      /\b(how|ways?|methods?|best|easiest|painless)\b.{0,30}\b(commit suicide|suicide)\b/i,
      /\bcut (my|your) (wrists?|arms?|legs?|thighs?)\b/i,
    ],
    words: /\b(suicid\w*|self-?harm\w*|overdose\w*|hopeless)\b/i,
    description: 'Someone wants to kill or hurt themselves, or is urged or helped to do so.',
  },
  harassment: {
    phrases: [
      /\byou('re| are| were)(?! not\b)( (all|such|just|nothing but|really|so))* (an? )?(\w+,? ){0,3}(idiot|moron|loser|worthless|pathetic|disgusting|ugly|stupid|trash|garbage|failure|freak|pig)\b/i,
      /\b(nobody|no one|everybody|everyone) (likes?|loves?|wants?|hates?|despises?|laughs? at) (you|him|her)\b/i,
      /\b(i|we) know where (you|she|he) lives?\b/i,
      /\b(stupid|ugly|worthless|fat|dumb) (bitch|cow|pig|whore|loser|idiot)\b/i,
    ],
    words: /\b(idiots?|morons?|losers?|pathetic|worthless|stupid|dumb|ugly|disgusting)\b/i,
    description: 'Insulting, humiliating, bullying, stalking or threatening one person.',
  },
  hate: {
    phrases: [
      new RegExp(
        `\\b${GROUP}\\b.{0,60}\\b(vermin|inferior|animals|rats|parasites|filth|filthy|subhuman|criminals|scum|thieves|exterminated|eliminated|driven out)\\b`,
        'i',
      ),
      new RegExp(`\\b(hate|despise|kill|expel|get rid of) (all )?(the )?${GROUP}\\b`, 'i'),
      /\b(inferior|master|superior) race\b/i,
      /\bgo back to (your|their) (own )?countr(y|ies)\b/i,
    ],
    words: /\b(vermin|subhuman|racial|racist|ethnic cleansing|inferior)\b/i,
    description: 'Hatred and contempt for people because of their origin, religion, gender or disability.',
  },
  sexual: {
    phrases: [
      /\b(porn\w*|masturbat\w*|orgasms?|blow ?jobs?|oral sex|anal sex|hardcore sex|sex scene|erotica)\b/i,
      /\b(erotic|explicit|dirty|steamy) (\w+ )?(story|stories|scene|text|novel|fantas\w+|sex)\b/i,
      /\b(has|have|had|having) sex (with|on|in|all|again|until)\b/i,
      /\bnude (photos?|pics?|pictures?|selfies?|images?) of\b|\bsend (me )?nudes\b/i,
    ],
    words: /\b(sex|sexual\w*|nud(e|es|ity)|naked|erotic\w*|undress\w*)\b/i,
    description: 'Sexually explicit content, pornography or erotic stories.',
  },
};
