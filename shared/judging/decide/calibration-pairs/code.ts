import type { PairsOfKind } from './pair.ts';

/** Programs of which one meets the request and the other fails a test. */
export const CODE_PAIRS: PairsOfKind = [
  {
    flaw: 'off by one',
    request: 'Write a Python function that returns the sum of the integers from 1 to n, n included.',
    better: 'def total(n):\n    return sum(range(1, n + 1))',
    worse:
      'def total(n):\n    """Return the sum of the integers from 1 to n."""\n    result = 0\n    for number in range(1, n):\n        result += number\n    return result',
    original: 'better',
  },
  {
    flaw: 'wrong operator',
    request: 'Write a JavaScript function isEven(n).',
    better: 'function isEven(n) {\n  return n % 2 === 0;\n}',
    worse: 'function isEven(n) {\n  return n % 2 === 1;\n}',
    original: 'worse',
  },
  {
    flaw: 'changes its argument',
    request: 'Write a Python function that returns a sorted copy of a list and leaves the list as it is.',
    better: 'def sorted_copy(items):\n    return sorted(items)',
    worse:
      'def sorted_copy(items):\n    # Sort the items and hand the sorted list back to the caller\n    items.sort()\n    return items',
    original: 'better',
  },
  {
    flaw: 'fails on the empty list',
    request: 'Write a Python function mean(values) that returns 0 for an empty list.',
    better: 'def mean(values):\n    if not values:\n        return 0\n    return sum(values) / len(values)',
    worse: 'def mean(values):\n    return sum(values) / len(values)',
    original: 'worse',
  },
  {
    flaw: 'wrong condition',
    request:
      'Write a SQL query for the names of the users who are older than 30, from the table users(name, age).',
    better: 'SELECT name FROM users WHERE age > 30;',
    worse: 'SELECT name, age FROM users WHERE age < 30 ORDER BY name ASC;',
    original: 'better',
  },
  {
    flaw: 'wrong aggregate',
    request: 'SQL: how many orders has each customer? The table is orders(id, customer_id, total).',
    better: 'SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id;',
    worse: 'SELECT customer_id, SUM(total) AS number_of_orders FROM orders GROUP BY customer_id;',
    original: 'worse',
  },
  {
    flaw: 'case is not ignored',
    request: 'Write a Python function that tells whether a word is a palindrome, ignoring case.',
    better: 'def is_palindrome(word):\n    lower = word.lower()\n    return lower == lower[::-1]',
    worse: 'def is_palindrome(word):\n    return word == word[::-1]',
    original: 'better',
  },
  {
    flaw: 'does not wait',
    request: 'In JavaScript, write an async function that fetches a URL and returns its JSON.',
    better:
      'async function load(url) {\n  const response = await fetch(url);\n  return await response.json();\n}',
    worse: 'async function load(url) {\n  const response = fetch(url);\n  return response.json();\n}',
    original: 'worse',
  },
  {
    flaw: 'wrong result',
    request: 'Write a Python function that returns the largest value of a non-empty list without using max.',
    better:
      'def largest(values):\n    best = values[0]\n    for value in values:\n        if value > best:\n            best = value\n    return best',
    worse:
      'def largest(values):\n    best = 0\n    for value in values:\n        if value > best:\n            best = value\n    return best',
    original: 'better',
  },
  {
    flaw: 'never ends',
    request: 'Count down from n to 1 in Python, printing each number.',
    better: 'def countdown(n):\n    while n > 0:\n        print(n)\n        n -= 1',
    worse:
      'def countdown(n):\n    # Print every number on a line of its own\n    while n > 0:\n        print(n)\n        n += 1',
    original: 'worse',
  },
  {
    flaw: 'wrong base case',
    request: 'Write factorial(n) recursively in Python; factorial(0) is 1.',
    better: 'def factorial(n):\n    return 1 if n == 0 else n * factorial(n - 1)',
    worse:
      'def factorial(n):\n    """Return n! for a whole number n, computed recursively."""\n    if n == 0:\n        return 0\n    return n * factorial(n - 1)',
    original: 'better',
  },
  {
    flaw: 'not in the order',
    request: 'Python: remove the duplicates of a list and keep the order of the first occurrences.',
    better: 'def unique(items):\n    return list(dict.fromkeys(items))',
    worse: 'def unique(items):\n    # A set holds every item only once\n    return list(set(items))',
    original: 'worse',
  },
  {
    flaw: 'replaces the first only',
    request: 'JavaScript: replace every comma of the string text by a semicolon.',
    better: "function toSemicolons(text) {\n  return text.replaceAll(',', ';');\n}",
    worse: "function toSemicolons(text) {\n  return text.replace(',', ';');\n}",
    original: 'better',
  },
  {
    flaw: 'wrong unit',
    request: 'Write a Python function that converts degrees Celsius to Fahrenheit.',
    better: 'def to_fahrenheit(celsius):\n    return celsius * 9 / 5 + 32',
    worse:
      'def to_fahrenheit(celsius: float) -> float:\n    """Convert degrees Celsius to degrees Fahrenheit."""\n    return (celsius + 32) * 9 / 5',
    original: 'better',
  },
  {
    flaw: 'misses a case',
    request:
      'Write fizz(n) in Python: "FizzBuzz" for multiples of 15, else "Fizz" for those of 3, "Buzz" for those of 5, else the number.',
    better:
      "def fizz(n):\n    if n % 15 == 0:\n        return 'FizzBuzz'\n    if n % 3 == 0:\n        return 'Fizz'\n    if n % 5 == 0:\n        return 'Buzz'\n    return n",
    worse:
      "def fizz(n):\n    if n % 3 == 0:\n        return 'Fizz'\n    if n % 5 == 0:\n        return 'Buzz'\n    if n % 15 == 0:\n        return 'FizzBuzz'\n    return n",
    original: 'worse',
  },
  {
    flaw: 'swallows the error',
    request: 'Python: read a whole number from the string text; where it is none, the result is None.',
    better:
      'def to_int(text):\n    try:\n        return int(text)\n    except ValueError:\n        return None',
    worse: 'def to_int(text):\n    if text.isdigit():\n        return text\n    return None',
    original: 'better',
  },
];
